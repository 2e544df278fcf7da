import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { LoadingNote } from '../parts/notes.js';
import sections from '../parts/sections.module.css';
import { UnreadPage } from '../parts/unread-page.js';
import { texts } from '../texts/alerts.js';
import { AlertHistory } from './alert-history.js';
import { RuleForm } from './rule-form.js';
import { useRule } from './use-alerts.js';

/** A rule: what it measures, what it would have raised, and what it has raised. */
export function RuleView(): ReactNode {
  const { id = '' } = useParams();
  return (
    <div className={sections['sections']}>
      <nav aria-label={texts.title}>
        <Link href="/alerts">{texts.allAlerts}</Link>
      </nav>
      {id === 'new' ? <RuleForm /> : <StoredRule key={id} id={id} />}
    </div>
  );
}

function StoredRule({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useRule(id);
  /** How often the form was filled again with the state of the server. */
  const [fills, setFills] = useState(0);
  async function readAgain(): Promise<void> {
    const { isSuccess } = await refetch();
    if (isSuccess) setFills(fills + 1);
  }
  if (data !== undefined)
    return (
      <>
        <RuleForm key={fills} rule={data} onReadAgain={() => void readAgain()} />
        <AlertHistory title={texts.alertsOfRule} query={{ rule: id }} />
      </>
    );
  return error === null ? <LoadingNote /> : <UnreadPage error={error} retry={() => void refetch()} />;
}
