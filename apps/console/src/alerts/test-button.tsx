import type { ReactNode } from 'react';
import forms from '../parts/form.module.css';
import { texts } from '../texts/alerts.js';
import { useTestRule } from './use-alerts.js';

/** Sends a test notice to the receivers of the saved rule, and lists the results. */
export function TestButton({ id }: { readonly id: string }): ReactNode {
  const test = useTestRule(id);
  return (
    <>
      <button className="button" type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {texts.sendTest}
      </button>
      <span role="status">
        {test.isPending && <span className="muted">{texts.sending}</span>}
        {test.data?.length === 0 && texts.savedWithoutReceivers}
        {test.data?.map(({ receiver, ok, reason }) => (
          <span key={receiver} className={ok ? undefined : forms['problem']}>
            {ok ? texts.testDelivered(receiver) : texts.testFailed(receiver, reason ?? texts.noReason)}{' '}
          </span>
        ))}
        {test.error !== null && <span className={forms['problem']}>{test.error.message}</span>}
      </span>
    </>
  );
}
