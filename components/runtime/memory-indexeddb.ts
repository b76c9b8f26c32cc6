// An in-memory IndexedDB for browsers that store nothing.
import 'fake-indexeddb/auto';
