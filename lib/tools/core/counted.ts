/**
 * A number with its noun, to which an `s` is added unless the number is 1, as models read it: `counted(1, 'line')` is “1 line”.
 */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
