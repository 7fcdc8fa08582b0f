#!/usr/bin/env python3
"""browse_report.py PAGE [SCREENSHOT_STEM]: uses a report page in headless Chromium as a reader does, a fact a line.

Clicks the filters, reads the URL's hash, follows the keyboard, finds the picture; with SCREENSHOT_STEM writes
STEM_light.png, STEM_dark.png and STEM_print.pdf. Exit 0 when the page behaved, 1 with a sentence when it did not, 77 when
selenium or Chromium is not installed. The line `times` holds milliseconds in the page: open, and each filter with layout.
"""
import base64
import json
import shutil
import sys
import time
import urllib.parse

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("not installed: python3 module selenium")
    sys.exit(77)


def expect(condition, sentence):
    if not condition:
        sys.exit(sentence)


def start():
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        print("not installed: chromium, chromium-driver")
        sys.exit(77)
    options = Options()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--window-size=1300,1500"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


def main(page, stem):
    browser = start()
    times = {}
    try:
        url = "file://" + urllib.parse.quote(page)
        browser.get(url)
        times["open"] = browser.execute_script("return performance.getEntriesByType('navigation')[0].domComplete")
        find = lambda selector: browser.find_elements(By.CSS_SELECTOR, selector)
        shown = lambda: find("#shown")[0].text
        hash_now = lambda: browser.execute_script("return location.hash")
        total = len(find(".check"))
        expect(shown() == "%d shown" % total, "the page says %s, there are %d checks" % (shown(), total))

        # Each filter, timed in the page from the click to a finished layout.
        verdicts = [button.get_attribute("data-v") for button in find("button[data-v]")]
        for verdict in verdicts:
            button = find("button[data-v=%s]" % verdict)[0]
            took = browser.execute_script(
                "const t = performance.now(); arguments[0].click(); document.body.getBoundingClientRect().height;"
                "return performance.now() - t", button)
            times[verdict] = took
            expect(hash_now() == "#v=" + verdict, "the hash is %s after a click on %s" % (hash_now(), verdict))
            expect(button.get_attribute("aria-pressed") == "true", "the button does not say that it is pressed")
            selector = ".check[data-x]" if verdict == "UNEXPECTED" else ".check[data-v=%s]" % verdict
            wanted = len(find(selector))
            expect(shown() in ("%d of %d shown" % (wanted, total), "%d shown" % total if wanted == total else ""),
                   "%s after a click on %s, %d wanted" % (shown(), verdict, wanted))
            visible = browser.execute_script(
                "return [...document.querySelectorAll('.check')].filter(e => !e.hidden && !e.parentElement.hidden).length")
            expect(visible == wanted, "%d checks are visible, %d wanted" % (visible, wanted))
            print("filter", verdict, wanted)
            if verdict == verdicts[0]:  # the state is in the address: another tab shows the same
                browser.get("about:blank")
                browser.get(url + "#v=" + verdict)
                expect(shown().startswith(str(wanted)), "the address does not carry the filter")
                button = find("button[data-v=%s]" % verdict)[0]
            button.click()
            expect(hash_now() == "" and shown() == "%d shown" % total, "a second click does not undo the first")
        for name, value in (("text", "no such text"), ("text", "")):
            times["text"] = browser.execute_script(
                "const t = performance.now(); location.hash = '#q=' + encodeURIComponent(arguments[0]);"
                "dispatchEvent(new HashChangeEvent('hashchange')); document.body.getBoundingClientRect().height;"
                "return performance.now() - t", value)
            expect(shown() == ("0 of %d shown" % total if value and total else "%d shown" % total), "%s by text" % shown())
        if total:
            expect(len(find(".none:not([hidden])")) == 0, "it says that nothing matches")

        # By keyboard alone.
        body = find("body")[0]
        body.send_keys("/")
        expect(browser.switch_to.active_element.get_attribute("id") == "q", "/ does not lead to the text filter")
        if total:
            first = find(".check > summary")[0]
            browser.execute_script("arguments[0].focus()", first)
            was = find(".check")[0].get_attribute("open")
            browser.switch_to.active_element.send_keys(Keys.ENTER)
            expect(find(".check")[0].get_attribute("open") != was, "Enter does not open or close a check")
            browser.switch_to.active_element.send_keys(Keys.ENTER)

        pictures = find(".check[open] .picture svg")
        for picture in pictures[:1]:
            cells = len(picture.find_elements(By.CSS_SELECTOR, "rect.fp-c"))
            hatches = len(picture.find_elements(By.CSS_SELECTOR, "path"))
            expect(picture.is_displayed() and picture.size["width"] > 300, "the picture is not to be seen")
            print("picture", cells, "cells", hatches, "hatches", len(picture.find_elements(By.CSS_SELECTOR, "rect.fp-mark")),
                  "marks")
        copied = find(".check[open] button.copy")
        if copied:
            copied[0].click()
            said = copied[0].text
            for _ in range(100):  # the clipboard answers when it likes
                if said == "Copied":
                    break
                time.sleep(0.05)
                said = copied[0].text
            expect(said == "Copied", "the copy button says " + said)
            print("command", copied[0].find_element(By.XPATH, "..").find_element(By.TAG_NAME, "code").text)

        # Nothing ran that is not ours, and nothing was asked of anybody.
        expect(len(find("script")) == 1 and not find("img, iframe, object, embed, [onload], [onclick]"), "foreign elements")
        for entry in browser.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                asked = event["params"]["request"]["url"]
                expect(asked.startswith(("file://", "data:", "about:", "chrome:")), "a request to " + asked)
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        expect(not errors, "the console says " + " ".join(errors))

        if stem:
            for scheme in ("light", "dark"):
                browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                        {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                browser.get("about:blank")
                browser.get(url)
                browser.save_screenshot("%s_%s.png" % (stem, scheme))
            with open(stem + "_print.pdf", "wb") as file:
                file.write(base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"landscape": True})["data"]))
        print("times", " ".join("%s=%.1f" % item for item in times.items()))
    finally:
        browser.quit()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
