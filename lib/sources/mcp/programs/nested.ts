/** Says to a program that it is a tool server. The command line then uses no tool servers, which could be itself. */
export const NESTED_VARIABLE = 'ROUNDTRIP_NESTED';
