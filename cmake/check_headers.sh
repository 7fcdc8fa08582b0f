#!/usr/bin/env bash
# Does every header compile alone?  usage: check_headers.sh SOURCE_DIR COMPILER [FLAG ..]
set -uo pipefail
cd "$1" || exit 1
shift
export CHECK="$* -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -x c++"
find . -name '*.h' -not -path './build*' -not -path '*/tests/*' | sort |
  xargs -P "$(nproc)" -I{} sh -c '$CHECK -include {} /dev/null || { echo "{} does not compile alone" >&2; exit 1; }'
