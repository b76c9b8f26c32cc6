import { testScenarios } from '../lib/cli-scenarios.ts';

// The rest is in `scenarios.process.test.ts`.
testScenarios((language, model, mode) => language !== 'en' || model !== 'scripted' || mode !== 'native');
