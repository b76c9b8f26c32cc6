/** The id of the message box's element. When an element that has the focus goes away, the message box gets the focus. */
export const COMPOSER_ID = 'composer';
