import { testScenarios } from '#components/test/scenarios.ts';

testScenarios();
