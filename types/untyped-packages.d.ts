declare module 'd3';
declare module 'three';
declare module 'three/addons/controls/OrbitControls.js';

declare module 'mistral-tokenizer-js' {
  const tokenizer: { encode(text: string): number[] };
  export default tokenizer;
}
