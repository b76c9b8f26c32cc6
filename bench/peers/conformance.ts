import { fileURLToPath } from 'node:url';

/** The program that plays MCP's conformance tests. */
export const CONFORMANCE_PROGRAM = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'),
);
