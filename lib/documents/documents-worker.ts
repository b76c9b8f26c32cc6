import { expose } from 'comlink';
import { createReader } from './reader.ts';

// A worker for each document: whatever is in it, only this thread has to read it.
expose(createReader());
