export { encode as encodeGpt2 } from 'gpt-3-encoder';
export { default as llama2 } from 'llama-tokenizer-js';
export { default as llama3 } from 'llama3-tokenizer-js';
export { default as mistral } from 'mistral-tokenizer-js';
