/** The id of a call that another call makes: the outer call's id, and a number from 1. */
export const innerCallId = (outerId: string, index: number): string => `${outerId}/${index}`;

/** The id of the call that the model made: the given id or, for that of an inner call, the outer call's. */
export const outerCallId = (toolCallId: string): string => toolCallId.split('/', 1)[0] ?? toolCallId;
