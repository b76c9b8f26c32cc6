export { default as startSqlite, type OpfsSAHPoolDatabase } from '@sqlite.org/sqlite-wasm';
