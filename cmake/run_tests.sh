#!/usr/bin/env bash
# run_tests.sh BUILD_FOLDER [CTEST_ARGUMENT...]: runs the tests of a build and prints `N passed, N failed, N skipped` last.
# Fails when a test fails, and when there is none.
set -uo pipefail
build=$1
shift
results=$build/tests.xml
rm -f "$results"
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(nproc)" --output-junit tests.xml "$@"
status=$?
number() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$results" 2>/dev/null | head -1; }
tests=$(number tests) failed=$(number failures) skipped=$(number skipped) disabled=$(number disabled)
tests=${tests:-0} failed=${failed:-0} skipped=$((${skipped:-0} + ${disabled:-0}))
if [ "$tests" -eq 0 ] && [ "$status" -eq 0 ]; then status=1; fi
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi  # the run itself went wrong: never green
passed=$((tests - failed - skipped))
echo "$((passed > 0 ? passed : 0)) passed, $failed failed, $skipped skipped"
exit "$status"
