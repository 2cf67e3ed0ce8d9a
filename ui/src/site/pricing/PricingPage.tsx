import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useSite } from "../../access/site";
import { useViewer } from "../../access/viewer";
import { AskOperator } from "../../billing/AskOperator";
import { plansQuery } from "../../billing/api";
import type { Interval } from "../../kit/api/types";
import { Alert, Banner } from "../../kit/ui/Alert";
import { Badge } from "../../kit/ui/Badge";
import { Page } from "../../kit/ui/Page";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { Spinner } from "../../kit/ui/Waiting";
import { Footer } from "../Footer";
import { PlanActions } from "./PlanActions";
import { PlanCard } from "./PlanCard";
import css from "./Pricing.module.css";

const INTERVALS = [
  { value: "monthly", label: "Monthly" },
  { value: "annual", label: "Annual" },
] as const;

/** The plans and prices, for visitors and for readers. */
export default function PricingPage() {
  const [parameters] = useSearchParams();
  const [interval, setInterval] = useState<Interval>("annual");
  const { user } = useViewer();
  const { data: site } = useSite();
  const { data: plans, isError } = useQuery(plansQuery);
  return (
    <>
      <Page title="Pricing">
        {parameters.get("canceled") === "true" && (
          <Alert kind="note" className={css.note}>
            Checkout was canceled. Nothing was charged.
          </Alert>
        )}
        {site?.billing === false && (
          <Banner icon="info" className={css.note}>
            This server takes no payments. Ask <AskOperator /> to change your plan.
          </Banner>
        )}
        <div className="page-head">
          <div>
            <h1 className="h1">Pricing</h1>
            <p className="aside-text">Free to use. Pay when the shelf runs out.</p>
          </div>
          <div className={css.interval}>
            <SegmentedControl label="Billing interval" options={INTERVALS} value={interval} onChoose={setInterval} />
            <Badge variant="ok">Save up to 30%</Badge>
          </div>
        </div>
        {isError && <Alert>The plans could not be loaded. Load the page again.</Alert>}
        {!isError && !plans && <Spinner>Fetching the plans</Spinner>}
        {plans && (
          <div className={css.plans}>
            {plans.map((offer) => (
              <PlanCard key={offer.plan} offer={offer} interval={interval}>
                <PlanActions offer={offer} interval={interval} />
              </PlanCard>
            ))}
          </div>
        )}
        <p className="muted section">
          Questions about plans? Write to <AskOperator />.
        </p>
      </Page>
      {!user && <Footer />}
    </>
  );
}
