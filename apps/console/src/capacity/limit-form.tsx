import { useState, type FormEvent, type ReactNode } from 'react';
import type { TrunkLimit } from '../api/answers.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import fields from '../parts/field.module.css';
import { formatNumber } from '../parts/format.js';
import forms from '../parts/form.module.css';
import { texts } from '../texts/capacity.js';
import { texts as parts } from '../texts/parts.js';
import { isConflict, useRemoveLimit, useSaveLimit } from './use-limits.js';

/** As the API takes them. */
const MOST_CALLS = 100_000;

interface LimitFormProps {
  readonly trunk: string;
  /** The limit as it is now; undefined without one. */
  readonly limit: TrunkLimit | undefined;
  readonly onDone: () => void;
  /** Fields before the number. */
  readonly children?: ReactNode;
  /** Whether the trunk was typed: a limit that it has then has not been seen. */
  readonly isTyped?: boolean;
}

/** A number that replaces the limit only if that is still the one that was shown. */
export function LimitForm({ trunk, limit, onDone, children, isTyped = false }: LimitFormProps): ReactNode {
  /** What was shown when the form was opened. */
  const [seen] = useState(isTyped ? undefined : limit);
  const [save, remove] = [useSaveLimit(), useRemoveLimit()];
  // Another name may have been typed meanwhile.
  const error = [save, remove].find(({ variables }) => variables?.trunk === trunk)?.error ?? null;
  const hasConflict = isConflict(error);
  const known = hasConflict ? limit : seen;
  const busy = save.isPending || remove.isPending;
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (busy) return;
    remove.reset();
    const calls = Number(new FormData(event.currentTarget).get('calls'));
    save.mutate({ trunk, calls, before: known }, { onSuccess: onDone });
  }
  function removeLimit(stored: TrunkLimit): void {
    save.reset();
    remove.mutate(stored, { onSuccess: onDone });
  }
  return (
    <form className={forms['form']} onSubmit={submit}>
      {children}
      <label className={fields['label']}>
        {texts.mostCalls}
        <input
          className="field"
          name="calls"
          type="number"
          min={1}
          max={MOST_CALLS}
          defaultValue={seen?.calls}
          required
        />
      </label>
      <p className={forms['problem']} role="alert">
        {hasConflict ? conflictWords(limit) : error?.message}
      </p>
      <div className={forms['buttons']}>
        <button className="button primary" type="submit" aria-disabled={busy}>
          {hasConflict ? texts.overwrite : texts.save}
        </button>
        <button className="button" type="button" onClick={onDone}>
          {parts.cancel}
        </button>
        {known !== undefined && !isTyped && (
          <ConfirmButton
            label={texts.removeLimit}
            confirm={texts.confirmRemove}
            busy={busy}
            onConfirm={() => removeLimit(known)}
          />
        )}
      </div>
    </form>
  );
}

function conflictWords(limit: TrunkLimit | undefined): string {
  return limit === undefined ? texts.removedMeanwhile : texts.changedMeanwhile(formatNumber(limit.calls));
}
