/** The end of a message about a call whose outcome is unknown: the source may have run it. For models. */
export const MAY_HAVE_RUN = 'The call may have made changes; check before calling again.';
