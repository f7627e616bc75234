#!/bin/sh
# What a release says of itself: the version of the source in CITATION.cff and CHANGELOG.md, the
# keys that the citation file format 1.2.0 demands, and the licence of LICENSE.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/.*LENO_VERSION "\(.*\)"/\1/p' src/base/revision.h)
bad=0
expect() { # file, line as a pattern
    grep -qxE -e "$2" "$1" || { echo "$1: no line '$2'"; bad=1; }
}
expect CITATION.cff 'cff-version: 1\.2\.0'
expect CITATION.cff 'message: .+'
expect CITATION.cff 'title: .+'
expect CITATION.cff 'authors:'
expect CITATION.cff '  - (name|family-names): .+'
expect CITATION.cff 'type: (software|dataset)'
expect CITATION.cff "version: \"$version\""
expect CITATION.cff 'license: BSD-2-Clause'
expect LICENSE 'BSD 2-Clause License'
expect CHANGELOG.md "## $version(, .*)?"
exit $bad
