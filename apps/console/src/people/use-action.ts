import { useCallback, useState } from 'react';
import { texts as parts } from '../texts/parts.js';

export interface Action {
  readonly isBusy: boolean;
  /** Why it failed, for the user. */
  readonly problem: string | undefined;
  /** Resolves to whether it succeeded. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
}

/** An action of the user that may fail; the failure is shown next to it. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : parts.failed);
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, problem, run };
}
