/** A number with its noun in the singular or plural, as models read it: `counted(1, 'line')` is “1 line”. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
