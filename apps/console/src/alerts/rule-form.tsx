import { useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { AlertRule } from '../api/answers.js';
import { ApiError } from '../api/api.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import forms from '../parts/form.module.css';
import { useServices } from '../services/services.js';
import { texts } from '../texts/alerts.js';
import { PreviewResult } from './preview-result.js';
import { contentIn, ruleContent, NEW_RULE } from './rule-content.js';
import { RuleFields } from './rule-fields.js';
import { SilenceFields } from './silence-fields.js';
import { TestButton } from './test-button.js';
import { rulePath, usePreview, useRemoveRule, useSaveRule } from './use-alerts.js';

interface RuleFormProps {
  /** Undefined for a new one. */
  readonly rule?: AlertRule;
  readonly onReadAgain?: () => void;
}

/** Creates or changes a rule; shows what it would have raised before it is saved. */
export function RuleForm({ rule, onReadAgain }: RuleFormProps): ReactNode {
  const { api } = useServices();
  const [, navigate] = useLocation();
  const content = rule === undefined ? NEW_RULE : ruleContent(rule);
  const [silences, setSilences] = useState(content.silences);
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  /** Why the newer state could not be read. */
  const [lost, setLost] = useState<string>();
  const [save, preview, remove] = [useSaveRule(), usePreview(), useRemoveRule()];
  const busy = save.isPending || remove.isPending;
  const hasConflict = save.error instanceof ApiError && save.error.status === 412;

  const problem = hasConflict ? lost : (save.error ?? remove.error ?? preview.error)?.message;

  function write(before?: Pick<AlertRule, 'id' | 'etag'>): void {
    if (busy || form === null || !form.reportValidity()) return;
    const entered = contentIn(new FormData(form), silences);
    const saved = { onSuccess: ({ id }: AlertRule) => navigate(`/alerts/rules/${id}`, { replace: true }) };
    save.mutate(before === undefined ? { content: entered } : { content: entered, before }, saved);
  }
  /** What was shown is about what was entered before. */
  function onChange(): void {
    preview.reset();
    if (save.isSuccess) save.reset();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    write(rule);
  }
  /** With the entity tag of the state that the other one has saved. */
  async function overwrite(id: string): Promise<void> {
    try {
      write(await api.get<AlertRule>(rulePath(id)));
    } catch (error) {
      setLost(error instanceof ApiError && error.status === 404 ? texts.gone : String(error));
    }
  }
  function showPreview(): void {
    if (form?.reportValidity()) preview.mutate(contentIn(new FormData(form), silences));
  }
  return (
    <section className="card" aria-label={texts.rule}>
      <form ref={setForm} className={forms['form']} onSubmit={submit} onChange={onChange}>
        <h1 dir="auto">{rule?.name ?? texts.newRule}</h1>
        <RuleFields content={content} />
        <SilenceFields
          silences={silences}
          onChange={(changed) => {
            setSilences(changed);
            onChange();
          }}
        />
        {hasConflict && rule !== undefined && (
          <Conflict
            onOverwrite={() => void overwrite(rule.id)}
            {...(onReadAgain === undefined ? {} : { onReadAgain })}
          />
        )}
        <p className={forms['problem']} role="alert">
          {problem}
        </p>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={busy}>
            {texts.save}
          </button>
          <button className="button" type="button" disabled={preview.isPending} onClick={showPreview}>
            {texts.showPreview}
          </button>
          {rule !== undefined && <StoredRuleButtons rule={rule} busy={busy} remove={remove} />}
        </div>
        <div role="status">
          {save.isSuccess && <p>{texts.saved}</p>}
          <Preview preview={preview} />
        </div>
      </form>
    </section>
  );
}

function Preview({ preview }: { readonly preview: ReturnType<typeof usePreview> }): ReactNode {
  const { isPending, data, variables } = preview;
  if (isPending) return <p className="muted">{texts.applying}</p>;
  return data !== undefined && <PreviewResult preview={data} measure={variables.measure} />;
}

interface ConflictProps {
  readonly onOverwrite: () => void;
  readonly onReadAgain?: () => void;
}

/** What is entered stays in the form until one of the two is chosen. */
function Conflict({ onOverwrite, onReadAgain }: ConflictProps): ReactNode {
  return (
    <div className={forms['buttons']} role="alert">
      <span className={forms['problem']}>{texts.conflict}</span>
      <button className="button" type="button" onClick={onOverwrite}>
        {texts.overwrite}
      </button>
      <button className="button" type="button" onClick={onReadAgain}>
        {texts.discard}
      </button>
    </div>
  );
}

interface StoredRuleButtonsProps {
  readonly rule: AlertRule;
  readonly busy: boolean;
  readonly remove: ReturnType<typeof useRemoveRule>;
}

function StoredRuleButtons({ rule, busy, remove }: StoredRuleButtonsProps): ReactNode {
  const [, navigate] = useLocation();
  return (
    <>
      <TestButton id={rule.id} />
      <ConfirmButton
        label={texts.delete}
        confirm={texts.deleteRule(rule.name)}
        busy={busy}
        onConfirm={() => remove.mutate(rule, { onSuccess: () => navigate('/alerts') })}
      />
    </>
  );
}
