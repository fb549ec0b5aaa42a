// The window over a made-up main: `?scenario=NAME&theme=dark`. The real entry runs as it is; only the bridge is ours.
import { fakeScenarios, type ScenarioName } from '../fake-scenarios.ts';
import type { FakeBridge } from '../fake-bridge.ts';

declare global {
  interface Window {
    /** For the tests: the made-up main of this page. */
    fake: FakeBridge;
  }
}

const query = new URLSearchParams(location.search);
const name = query.get('scenario') ?? 'working';
const fake = fakeScenarios[name in fakeScenarios ? (name as ScenarioName) : 'working']();
const theme = query.get('theme');
if (theme === 'light' || theme === 'dark') fake.content.app.settings.theme = theme;
window.fake = fake;
window.warrant = fake.bridge;
await import('../../../src-renderer/main.tsx');
