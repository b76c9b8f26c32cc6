// The same tests with clients of the older protocol, too.
import './mcp.process.test.ts';
