import type { ReactNode } from 'react';
import forms from '../parts/form.module.css';
import { useTestRule } from './use-alerts.js';

/** Sends a test notice to the receivers of the saved rule, and lists the results. */
export function TestButton({ id }: { readonly id: string }): ReactNode {
  const test = useTestRule(id);
  return (
    <>
      <button className="button" type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        Send test notification
      </button>
      <span role="status">
        {test.isPending && <span className="muted">Sending …</span>}
        {test.data?.length === 0 && 'The saved rule has no receivers.'}
        {test.data?.map(({ receiver, ok, reason }) => (
          <span key={receiver} className={ok ? undefined : forms['problem']}>
            {receiver}: {ok ? 'delivered' : `failed, ${reason ?? 'no reason given'}`}{' '}
          </span>
        ))}
        {test.error !== null && <span className={forms['problem']}>{test.error.message}</span>}
      </span>
    </>
  );
}
