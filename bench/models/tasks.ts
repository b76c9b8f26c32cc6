import { LANGUAGES, TASK_SETS, type Task, type TaskKind } from './task.ts';
import { HELD_OUT } from './tasks/held-out.ts';
import { TUNING } from './tasks/tuning.ts';

const ASKED = { tuning: TUNING, 'held-out': HELD_OUT };

/** All tasks. Their ids stay the same as long as their order does. */
export const TASKS: readonly Task[] = TASK_SETS.flatMap((set) =>
  LANGUAGES.flatMap((language) => {
    const numbers = new Map<TaskKind, number>();
    return ASKED[set][language].map(([ask, wanted]): Task => {
      const number = (numbers.get(wanted.kind) ?? 0) + 1;
      numbers.set(wanted.kind, number);
      return { id: `${set}/${language}/${wanted.kind}-${number}`, language, set, ask, ...wanted };
    });
  }),
);
