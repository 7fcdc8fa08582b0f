#!/usr/bin/env bash
# Installs what the build needs and this machine lacks, from a distribution with apt-get; elsewhere says what to install.
# With --all also what only CI and `make format-check` use: the formatter, and other people's readers of our reports.
set -euo pipefail

packages=(g++ cmake make ninja-build python3-pip libz3-dev librapidcheck-dev libbenchmark-dev libgtest-dev
          libcli11-dev libfmt-dev nlohmann-json3-dev libpugixml-dev)
if [ "${1:-}" = --all ]; then packages+=(clang-format chromium chromium-driver python3-selenium python3-jsonschema
                                        python3-junitparser cmark-gfm libxml2-utils); fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "No apt-get here. If the build stops for want of something, install by your own means: a C++20 compiler," >&2
  echo "CMake 3.21 or later, Ninja, GoogleTest, CLI11, fmt, nlohmann-json, Google Benchmark, and Z3 4.8.12 or later" >&2
  echo "with its C++ headers (or Python 3 with pip, so that the build can fetch Z3)." >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)" in
    "install ok installed") ;;
    *) missing+=("$package") ;;
  esac
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

echo "Installing: ${missing[*]}" >&2
install=(env DEBIAN_FRONTEND=noninteractive apt-get)
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Neither root nor sudo here. As root run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  install=(sudo "${install[@]}")
fi
"${install[@]}" update -qq >&2 || echo "apt-get update failed; going on with the package lists that are there" >&2
if ! "${install[@]}" install -y -qq --no-install-recommends "${missing[@]}" >&2; then
  echo "apt-get could not install all of: ${missing[*]}" >&2
  exit 1
fi
