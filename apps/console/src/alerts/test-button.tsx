import type { ReactNode } from 'react';
import type { AlertTest } from '../api/answers.js';
import forms from '../parts/form.module.css';
import { texts } from '../texts/alerts.js';
import { useTestRule } from './use-alerts.js';

/** Why a receiver did not take the test. */
function failureWords(failure: AlertTest['items'][number]['failure']): string {
  if (failure === null) return texts.noReason;
  const words = texts.failures[failure.code];
  return failure.detail === null ? words : texts.failureDetail(words, failure.detail);
}

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
        {test.data?.map(({ receiver, ok, failure }) => (
          <span key={receiver} className={ok ? undefined : forms['problem']}>
            {ok ? texts.testDelivered(receiver) : texts.testFailed(receiver, failureWords(failure))}{' '}
          </span>
        ))}
        {test.error !== null && <span className={forms['problem']}>{test.error.message}</span>}
      </span>
    </>
  );
}
