# SPDX-License-Identifier: MIT
# Builds the addon with node-gyp and Node's own headers, for npm rebuild
# --build-from-source, electron-rebuild and distributions. The Makefile, which builds
# everything else too, has the flags.
{
  'targets': [{
    'target_name': 'nftrace',
    'sources': ['<!@(make --silent addon-sources)'],
    # A system's headers, which may warn.
    'cflags_c': ['<!@(make --silent addon-cflags)', '-isystem', '<(node_root_dir)/include/node'],
    'ldflags': ['<!@(make --silent addon-ldflags)']
  }]
}
