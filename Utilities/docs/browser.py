"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: needs Python's standard library only."""
import base64, json, os, selectors, subprocess, tempfile, time


class Browser:
    def __init__(self, program, size):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # The browser reads commands from descriptor 3 and writes its answers to 4. Higher numbers first, so that
        # neither of the two is overwritten while they are put in place.
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        ends = [os.dup2(end, number) for end, number in [(commands, 103), (answers, 104)]]
        for end in [commands, answers]: os.close(end)

        def connect():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        # --no-sandbox: Chromium refuses to run as root without it, and CI does.
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
             "--window-size=%d,%d" % size, "about:blank"],
            close_fds=False, preexec_fn=connect, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in ends: os.close(end)
        self.count, self.received, self.session = 0, b"", None
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]

    def call(self, method, **parameters):
        """Calls a method of the protocol, and returns its result."""
        self.count += 1
        command = {"id": self.count, "method": method, "params": parameters}
        if self.session: command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.next_answer()
            if answer.get("id") != self.count: continue
            if "error" in answer: raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def next_answer(self):
        selector = selectors.DefaultSelector()
        selector.register(self.answers, selectors.EVENT_READ)
        while b"\0" not in self.received:
            if not selector.select(60): raise RuntimeError("the browser has not answered within a minute")
            part = os.read(self.answers, 1 << 16)
            if not part: raise RuntimeError("the browser has stopped")
            self.received += part
        answer, _, self.received = self.received.partition(b"\0")
        return json.loads(answer)

    def evaluate(self, expression):
        """The value of an expression in JavaScript."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result: raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=10):
        """The value of an expression as soon as it is something; after the time, what it is then."""
        until = time.monotonic() + seconds
        while True:
            # A page that is being left has no answer, or one of another page.
            try: value = self.evaluate(expression)
            except RuntimeError: value = None
            if value or time.monotonic() > until: return value
            time.sleep(0.05)

    def open(self, address):
        """Goes to an address by loading its page again."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def write(self, text):
        """Types into the field that has the focus."""
        self.call("Input.insertText", text=text)

    def picture(self, path):
        with open(path, "wb") as file: file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        self.session = None
        try: self.call("Browser.close")
        except RuntimeError: pass
        try: self.process.wait(20)
        except subprocess.TimeoutExpired: self.process.kill()
        for end in [self.commands, self.answers]: os.close(end)
        self.profile.cleanup()
