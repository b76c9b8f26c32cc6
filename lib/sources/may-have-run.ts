/**
 * A sentence for messages to the model about a call whose outcome is unknown: the tool server or HTTP API may have run it.
 */
export const MAY_HAVE_RUN = 'The call may have made changes; check before calling again.';
