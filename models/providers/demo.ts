import { resolveModelConfig } from '../config.ts';
import { createDemoModel } from '../demo/demo-model.ts';
import type { Provider } from './provider.ts';

/** The provider of the demo, a scripted model for new users who have no API key yet. */
export const demo: Provider = {
  id: 'demo',
  label: 'Demo',
  prefixes: [],
  keyVariables: [],
  onlyStreams: true,
  needsKey: () => false,
  traits: () => ({
    keepsReasoning: false,
    takesResultImages: false,
    rendersTemplates: false,
    reasoningTag: undefined,
    toolName: /^[\w-]{1,64}$/,
    codec: 'json',
  }),
  create: () => createDemoModel(),
  options: () => ({}),
};

/** The configuration of the demo provider's only model. */
export const DEMO_MODEL_CONFIG = resolveModelConfig({
  provider: demo.id,
  model: 'demo',
  id: 'demo',
  name: 'Demo (scripted, not an AI)',
  toolCalling: 'auto',
  contextSize: 32_000,
  vision: false,
});
