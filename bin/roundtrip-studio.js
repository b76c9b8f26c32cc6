#!/usr/bin/env node
// Starts the studio of a release, unless the present Node.js cannot run it.
const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
const isRecent = major > 22 || (major === 22 && (minor > 22 || (minor === 22 && patch >= 2)));

if (isRecent) await import('../dist/studio/studio.js');
else {
  process.stderr.write(
    `roundtrip-studio needs Node.js 22.22.2 or later; this is ${process.versions.node}. Install a newer one.\n`,
  );
  process.exitCode = 2;
}
