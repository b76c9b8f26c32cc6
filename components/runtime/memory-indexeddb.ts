// Where the browser keeps nothing, its database is made of memory.
import 'fake-indexeddb/auto';
