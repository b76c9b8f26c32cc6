import { testScenarios } from '#components/test/scenarios.ts';

// Each scenario with native calls and in the default form of the prompted mode. The long suite plays all languages and forms,
// and e2e/scenarios.spec.ts each form once.
testScenarios(({ language }, { model }) => language === 'en' && model === 'scripted');
