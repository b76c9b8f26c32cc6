export { default as LightningFs } from '@isomorphic-git/lightning-fs';
export { configureSingle, fs as zenFs, umount } from '@zenfs/core';
export { IndexedDB } from '@zenfs/dom';
