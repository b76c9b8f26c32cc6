// All attempts to get out of the folder. The daily run tries some of each kind.
import './escapes.process.test.ts';
