import { useState, type ReactNode } from 'react';
import sections from '../parts/sections.module.css';
import { texts } from '../texts/alerts.js';
import { AlertHistory } from './alert-history.js';
import { RuleTable } from './rule-table.js';

/** What fires now, what has fired, and the rules. */
export function AlertsView(): ReactNode {
  const [onlyOpen, setOnlyOpen] = useState(false);
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">{texts.title}</h1>
      <AlertHistory
        title={onlyOpen ? texts.firingNow : texts.title}
        query={onlyOpen ? { open: 'true' } : {}}
        tools={
          <label>
            <input type="checkbox" checked={onlyOpen} onChange={(event) => setOnlyOpen(event.target.checked)} />{' '}
            {texts.firingOnly}
          </label>
        }
      />
      <RuleTable />
    </div>
  );
}
