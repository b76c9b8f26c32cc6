'use client';

import { useStore } from 'zustand';
import { type ExaminationState, examinationsOf } from '#studio/examinations.ts';
import { useStudio } from './studio-provider.tsx';

/** The examinations of this page, and the one of an endpoint, if there was any. */
export function useExamination(endpoint: string) {
  const examinations = examinationsOf(useStudio());
  const state: ExaminationState | undefined = useStore(examinations.state, (all) => all[endpoint]);
  return { examinations, state };
}
