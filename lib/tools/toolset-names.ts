/** The toolsets a person can switch on and off per thread. */
export const TOOLSETS = ['browser', 'files'] as const;
