declare module 'd3';
declare module 'three';
declare module 'three/addons/controls/OrbitControls.js';
