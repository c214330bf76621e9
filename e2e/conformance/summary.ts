import type { Check, Scenarios } from "./suite";

/** How many checks of a scenario passed, and which did not, such as one that could not be made. */
interface ScenarioSummary {
  readonly passed: number;
  readonly others?: readonly string[];
}

/** By scenario. Mere information is left out: how much there is of it depends on the timing. */
export function summaryOf(scenarios: Scenarios): Readonly<Record<string, ScenarioSummary>> {
  const sorted = [...scenarios].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([scenario, checks]) => [scenario, scenarioSummary(checks)]));
}

/** No tool of this server takes a parameter from a header, and the suite fails what it cannot try; it does not score it. */
const notOffered = ["http-custom-header-server-validation"];

/** Each failed check in a line, also of scenarios that the suite does not score. */
export function failuresOf(scenarios: Scenarios): string[] {
  const offered = [...scenarios].filter(([scenario]) => !notOffered.includes(scenario));
  return offered.flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === "FAILURE")
      .map(({ id, errorMessage = "no reason" }) => `${scenario}: ${id}: ${errorMessage}`),
  );
}

/** For people to read: a line per scenario, and one per check that did not pass. */
export function reportOf(scenarios: Scenarios): string {
  const lines = [...scenarios].flatMap(([scenario, checks]) => {
    const others = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    return [
      `${others.some(({ status }) => status === "FAILURE") ? "✗" : "✓"} ${scenario}: ${passed} passed`,
      ...others.map(({ id, status, errorMessage = "" }) => `    ${status} ${id}: ${errorMessage}`),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function scenarioSummary(checks: readonly Check[]): ScenarioSummary {
  const others = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
  return {
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    ...(others.length === 0 ? {} : { others: others.map(({ id, status }) => `${id}: ${status}`) }),
  };
}
