/** The id of the message box's element. It gets the focus when the element that had it is gone. */
export const COMPOSER_ID = 'composer';
