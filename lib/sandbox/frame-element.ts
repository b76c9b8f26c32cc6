/** All features that a frame could be granted and is not. */
const DENIED = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'focus-without-user-activation',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking',
];

function createElement(address: string, sandbox: string): HTMLIFrameElement {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', sandbox);
  element.referrerPolicy = 'no-referrer';
  element.allow = DENIED.map((feature) => `${feature} 'none'`).join('; ');
  element.src = address;
  return element;
}

/** Creates a frame, invisible at first, that fills the element that it is put into. `sandbox`: its sandbox flags. */
export function shownFrame(address: string, sandbox: string): HTMLIFrameElement {
  const element = createElement(address, sandbox);
  // Does not cover the previous content until there is something to see.
  element.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff;visibility:hidden';
  return element;
}

/** Creates a frame that the user can neither see, click, nor focus. `sandbox`: its sandbox flags. */
export function hiddenFrame(address: string, sandbox: string): HTMLIFrameElement {
  const element = createElement(address, sandbox);
  element.setAttribute('aria-hidden', 'true');
  element.inert = true;
  element.tabIndex = -1;
  element.title = 'Sandbox';
  // Invisible, but within the window: browsers stop rendering and animating frames outside it.
  element.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:800px;height:600px;border:0;opacity:0;pointer-events:none;z-index:-1';
  return element;
}

/**
 * Adds a hidden element to the page, after the first element of the body. At the end of the body, it would make the browser
 * compute all styles within the last element again: tens of milliseconds in a long conversation.
 */
export function addHidden(element: HTMLElement): void {
  const first = document.body.firstElementChild;
  if (first === null) document.body.append(element);
  else first.after(element);
}
