/** The toolsets that the user can turn on and off per thread. */
export const TOOLSETS = ['browser', 'files'] as const;
