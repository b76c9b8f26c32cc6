/** The id of a call that another has made: the outer one's, and its number among those, from 1. */
export const innerCallId = (outerId: string, index: number): string => `${outerId}/${index}`;

/** The call that the model made: itself, or the one within which it was made. */
export const outerCallId = (toolCallId: string): string => toolCallId.split('/', 1)[0] ?? toolCallId;
