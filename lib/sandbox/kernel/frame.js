// @ts-check
// Runs in the opaque frame: takes one port from the page and puts a worker behind it. The worker gets the network
// policy of this document, and the page can end both by removing the frame.

addEventListener('message', function connect(event) {
  const [port] = event.ports;
  if (event.source !== parent || port === undefined) return;
  removeEventListener('message', connect);
  const source = /** @type {HTMLScriptElement} */ (document.getElementById('kernel')).textContent;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  worker.onmessage = ({ data }) => port.postMessage(data);
  worker.onerror = ({ message }) => port.postMessage({ type: 'crash', message });
  port.onmessage = ({ data }) => worker.postMessage(data);
});
