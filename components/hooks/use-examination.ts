'use client';

import { useStore } from 'zustand';
import { type ExaminationState, examinerOf } from '#studio/examinations.ts';
import { useStudio } from './studio-provider.tsx';

/**
 * Returns the examinations that this page runs, which test how tools work best with a model, and the `state` of the one for
 * the model with this endpoint (as in `ModelInfo`); undefined if there has been none.
 */
export function useExamination(endpoint: string) {
  const examinations = examinerOf(useStudio());
  const state: ExaminationState | undefined = useStore(examinations.state, (all) => all[endpoint]);
  return { examinations, state };
}
