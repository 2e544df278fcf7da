import { useCallback, useState } from 'react';

export interface Action {
  readonly isBusy: boolean;
  /** Why it failed, for a person. */
  readonly problem: string | undefined;
  /** Resolves to whether it worked. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
}

/** Something that a person does and that may fail, which is then said where it was done. */
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
      setProblem(error instanceof Error ? error.message : 'That did not work.');
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, problem, run };
}
