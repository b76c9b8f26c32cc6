/** The id of the message box in the document. It gets the focus when the previous element is gone. */
export const COMPOSER_ID = 'composer';
