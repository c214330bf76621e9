import { describeTaskStore } from "./contract";
import { MemoryStore } from "./memory-store";

describeTaskStore("the memory store", () => ({ store: new MemoryStore() }));
