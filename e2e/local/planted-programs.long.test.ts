// All programs that a command may plant. The daily run plants two of them.
import './planted-programs.process.test.ts';
